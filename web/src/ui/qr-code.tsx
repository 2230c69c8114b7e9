/** A QR code that is drawn on the page itself: nobody else learns what it says. */
import { qrPath } from './qr-path.ts'

export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = qrPath(text)
  return (
    <svg className="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`}>
      <path d={path} shapeRendering="crispEdges" />
    </svg>
  )
}
