/** The return URL: inside the frame it asks the page around it for a new link; alone it goes there. */
const reason = new URLSearchParams(location.search).get('reason')
if (window.parent === window) location.replace('/')
else window.parent.postMessage({ type: 'portal-ended', reason }, location.origin)
