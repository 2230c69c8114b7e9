export const BROUGHT_ALONG: readonly string[]
export function refuseNode(version: string, platform: string, arch: string): string | undefined
export function howToInstallNode(platform: string): string
