/**
 * Tells whether Posthorn can start on the Node that runs this, and what to do when it can't.
 *
 * Posthorn runs on Node 24. On Linux, on x64 and arm64, the dependencies bring one along, so that
 * Node 20 is enough to begin with; no npm package brings one to other platforms. The message comes
 * before anything is installed.
 */
const RUNS_ON = 24
const BEGINS_ON = 20
/** Platforms whose Node 24 is among the optional dependencies of package.json. */
export const BROUGHT_ALONG = ['linux-x64', 'linux-arm64']

/** @returns why it can't start and what to do, undefined when it can */
export function refuseNode(version, platform, arch) {
  const major = Number(version.split('.')[0])
  if (major >= RUNS_ON) return undefined
  if (major < BEGINS_ON) {
    return `Node ${version} is too old to begin with. ${howToInstallNode(platform)}`
  }
  if (BROUGHT_ALONG.includes(`${platform}-${arch}`)) return undefined
  return (
    `this is Node ${version}, and Posthorn runs on Node ${RUNS_ON}. For ${platform} on ${arch} none comes ` +
    `with the dependencies. ${howToInstallNode(platform)}`
  )
}

export function howToInstallNode(platform) {
  const ways = [
    `"nvm install ${RUNS_ON}"`,
    `"fnm install ${RUNS_ON}"`,
    ...(platform === 'darwin' ? [`"brew install node@${RUNS_ON}"`] : []),
  ]
  return `Install Node ${RUNS_ON}: ${ways.join(', ')}, or from https://nodejs.org. Then run the command again.`
}
