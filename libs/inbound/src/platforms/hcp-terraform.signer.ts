/** An independent signer of HCP Terraform, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

const run = {
  payload_version: 1,
  notification_configuration_id: 'nc-1',
  run_id: 'run-FwnENkvDnrpyFC7M',
  notifications: [{ message: 'Run Completed', trigger: 'run:completed', run_status: 'applied' }],
}

export const signers: readonly Signer[] = [
  mac({
    source: 'hcp-terraform',
    header: 'X-TFE-Notification-Signature',
    digest: ['sha512', 'hex'],
    body: run,
    type: 'run:completed',
    id: 'run-FwnENkvDnrpyFC7M:run:completed:applied',
  }),
]
