/** How the portal of a sub-account comes into the workspace's own pages: what to set, call and copy. */
import { apiCurl } from '../events/curl.ts'
import { t } from '../texts/t.ts'
import { Card, Code } from '../ui/parts.tsx'

/** Takes the link from the page's own server, and gives the frame the height of what it shows. */
const SNIPPET = `<iframe id="posthorn" title="Webhooks"
  allow="clipboard-write"
  style="width: 100%; min-height: 480px; border: 0">
</iframe>
<script type="module">
  const frame = document.querySelector('#posthorn')
  const post = { method: 'POST' }
  const answer = await fetch('/portal-link', post)
  const { url } = await answer.json()
  addEventListener('message', (message) => {
    const { origin, source, data } = message
    if (source !== frame.contentWindow) return
    if (origin !== new URL(url).origin) return
    if (data.type !== 'posthorn:height') return
    frame.style.height = data.height + 'px'
  })
  frame.src = url
</script>`

const PAGE = 'https://app.example.com'

export function SubAccountEmbed({ id }: { id: string }) {
  const session = { returnURL: `${PAGE}/webhooks` }
  return (
    <Card title={t('In your own page')}>
      <ol className="card-body steps">
        <li>
          <p>{t('Allow your page to show the portal: a setting of this service.')}</p>
          <Code text={`SUBACCOUNT_ALLOWED_FRAME_ANCESTORS=${PAGE}`} label={t('Setting')} />
        </li>
        <li>
          <p>
            {t(
              'Your server makes a link each time this customer opens the page, and answers its url. The API key stays there.',
            )}
          </p>
          <Code text={apiCurl(`/sub-accounts/${id}/sessions`, session)} label={t('Command')} />
        </li>
        <li>
          <p>
            {t('Your page has the frame; /portal-link is where your server answers with the url.')}
          </p>
          <Code text={SNIPPET} label={t('Snippet')} />
        </li>
      </ol>
    </Card>
  )
}
