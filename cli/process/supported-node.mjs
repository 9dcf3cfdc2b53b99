// @ts-check In syntax that old versions of Node can parse: the build and the command import it before anything else.

/** Oldest supported version of Node, as in `engines` of package.json. */
export const OLDEST_NODE = '20.19';

/**
 * Compares two versions by major and minor number.
 * @param {string} version such as `18.20.8`
 * @returns {boolean} whether this version of Node is supported
 */
export function isSupportedNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split('.').map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

/** Exits with one line on standard error when the version of Node is too old. */
export function requireSupportedNode() {
  const version = process.versions.node;
  if (isSupportedNode(version)) return;
  process.stderr.write(`tapbench: needs Node ${OLDEST_NODE} or later, this is Node ${version}\n`);
  process.exit(1);
}
