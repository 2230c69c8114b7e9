/** An independent signer of Amazon EventBridge API destinations, written from its documents. */
import { basic, namedHeader, type Signer } from '../signers/signer.fixture.ts'

const awsEvent = {
  version: '0',
  id: '7bf73129-1428-4cd3-a780-95db273d1602',
  'detail-type': 'EC2 Instance State-change Notification',
  source: 'aws.ec2',
  account: '123456789012',
  time: '2023-11-14T22:13:20Z',
  region: 'us-east-1',
  resources: [],
  detail: { state: 'terminated' },
}

export const signers: readonly Signer[] = [
  namedHeader({
    source: 'aws-eventbridge',
    body: awsEvent,
    type: 'EC2_Instance_State-change_Notification',
    id: awsEvent.id,
  }),
  basic({
    source: 'aws-eventbridge',
    variant: 'by password',
    body: awsEvent,
    type: 'EC2_Instance_State-change_Notification',
    id: awsEvent.id,
  }),
]
