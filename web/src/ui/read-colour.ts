/** The page's own colours, for what can't use custom properties: a canvas, a field, a comparison. */

/**
 * @param host where the property is looked up: what it leads to, only an element there tells
 * @param name of a custom property
 */
export function readColour(host: HTMLElement, name: string): string {
  const probe = host.appendChild(document.createElement('span'))
  probe.style.color = `var(${name})`
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** The same as `#rrggbb`. */
export function readHex(host: HTMLElement, name: string): string {
  const parts = readColour(host, name).match(/\d+/g) ?? []
  const hex = parts.slice(0, 3).map((part) => Number(part).toString(16).padStart(2, '0'))
  return `#${hex.join('')}`
}
