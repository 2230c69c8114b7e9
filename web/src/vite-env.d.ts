/** What the build makes of imports that TypeScript does not know. */
declare module '*.json?english' {
  const messages: Record<string, unknown>
  export default messages
}
declare module '*.css'
