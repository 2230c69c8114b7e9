/** An independent signer of Jotform, written from its documents. */
import { type Signer, urlToken } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  urlToken({
    source: 'jotform',
    contentType: 'multipart/form-data; boundary=xYzZY',
    body: '--xYzZY\r\nContent-Disposition: form-data; name="formID"\r\n\r\n220\r\n--xYzZY\r\nContent-Disposition: form-data; name="submissionID"\r\n\r\n5237\r\n--xYzZY--\r\n',
    id: '5237',
  }),
]
