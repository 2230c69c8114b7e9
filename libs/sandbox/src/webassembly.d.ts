/** What is used of it here: Node's own types leave it to the browser's, which say much that is not so in Node. */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: 'WebAssembly.Module'
  }
  class Memory {
    constructor(size: { initial: number; maximum: number })
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  function compile(bytes: Uint8Array): Promise<Module>
}
