/** Opens the portal in the page's frame, gives it the page's look, and makes it as high as it is. */
const frame = document.querySelector('#portal')
const message = document.querySelector('#message')
const button = document.querySelector('#appearance')

const colors = {
  light: {
    '--bg-000': '#ffffff',
    '--bg-100': '#fbf8f3',
    '--bg-200': '#efe8dc',
    '--accent-main-100': '#e3f1ec',
    '--accent-main-900': '#0f6650',
    '--chart-delivered': '#227861',
    '--chart-failed': '#a25904',
    '--chart-dead': '#800520',
    '--warning-100': '#fff4d6',
  },
  dark: {
    '--bg-000': '#14110d',
    '--bg-100': '#1c1813',
    '--bg-200': '#2a241c',
    '--accent-main-100': '#0e3a2e',
    '--accent-main-900': '#6fd9b8',
    '--chart-delivered': '#65f2c4',
    '--chart-failed': '#febe44',
    '--chart-dead': '#ef676e',
    '--warning-100': '#3a2c07',
  },
}
let appearance = 'light'
let portalOrigin = ''

async function openPortal() {
  const response = await fetch('/portal-link', { method: 'POST' })
  const { url, error } = await response.json()
  if (error) {
    message.textContent = `The portal can't be opened: ${error}`
    return
  }
  portalOrigin = new URL(url).origin
  frame.src = url
}

function sendTheme() {
  const theme = { type: 'posthorn:theme', appearance, colors: colors[appearance] }
  frame.contentWindow.postMessage(theme, portalOrigin)
}

window.addEventListener('message', ({ origin, source, data }) => {
  if (source !== frame.contentWindow) return
  if (origin === portalOrigin && data.type === 'posthorn:ready') sendTheme()
  if (origin === portalOrigin && data.type === 'posthorn:height') {
    frame.style.height = `${data.height}px`
  }
  if (origin === location.origin && data.type === 'portal-ended') {
    message.textContent = data.reason === 'DONE' ? '' : 'Your session had ended; here is a new one.'
    void openPortal()
  }
})

button.addEventListener('click', () => {
  appearance = appearance === 'light' ? 'dark' : 'light'
  document.documentElement.dataset.theme = appearance
  button.textContent = appearance === 'light' ? 'Dark' : 'Light'
  sendTheme()
})

await openPortal()
