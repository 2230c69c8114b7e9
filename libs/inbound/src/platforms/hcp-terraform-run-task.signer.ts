/** An independent signer of HCP Terraform Run Tasks, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'hcp-terraform-run-task',
    header: 'X-TFC-Task-Signature',
    digest: ['sha512', 'hex'],
    body: {
      payload_version: 1,
      stage: 'pre_plan',
      access_token: 't',
      run_id: 'run-1',
      task_result_id: 'taskrs-2nH5dncYoXaMVQmJ',
    },
    type: 'pre_plan',
    id: 'taskrs-2nH5dncYoXaMVQmJ',
  }),
]
