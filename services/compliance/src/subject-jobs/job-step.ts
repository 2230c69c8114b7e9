/** What a step of a job has done, for the runner to write down. */

/** One part of one section of an export, gzipped. */
export interface ExportPiece {
  section: number
  number: number
  content: Buffer
}

export interface JobStep<Position> {
  /** Where the next step begins; null: the job is done. */
  position: Position | null
  /** How many rows it has dealt with. */
  done: number
  /** How many there are, where the step has counted them. */
  total?: number | null
  /** Pieces of a document, written with the position: none comes twice. */
  pieces?: readonly ExportPiece[]
  /** Nothing can be done before so many ms. */
  waitMs?: number
}
