/** What an endpoint is called: by its description, else by the host and path of its URL. */
export function endpointName({
  description,
  url,
}: {
  description: string | null
  url: string
}): string {
  if (description) return description
  const parsed = URL.parse(url)
  return parsed === null ? url : parsed.host + parsed.pathname.replace(/\/$/, '')
}
