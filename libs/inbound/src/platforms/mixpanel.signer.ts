/** An independent signer of Mixpanel, written from its documents. */
import { basic, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  basic({
    source: 'mixpanel',
    body: {
      action: 'add_members',
      parameters: {
        mixpanel_project_id: '1',
        mixpanel_session_id: 's1',
        page_info: { total_pages: 3, page_count: 1 },
        members: [],
      },
    },
    type: 'add_members',
  }),
]
