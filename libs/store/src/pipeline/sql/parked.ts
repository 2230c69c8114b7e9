/** How a row of `parked` is written that may be there already, left behind by another statement. */

/**
 * Keeps the row that is there, and by writing it takes it from whoever is about to remove it. A
 * statement that removes what is parked tells by its snapshot whether the delivery has ended, and
 * the snapshot may be older than a replay. Were the row only found to be there (`DO NOTHING`), it
 * could still be removed, and the delivery would wait nowhere.
 */
export const KEEP_PARKED = `ON CONFLICT (tenant_id, target_id, priority, seq, delivery_id)
    DO UPDATE SET parked_at = parked.parked_at`
