/** Tells a placeholder that nobody filled in from braces that are meant. */

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * The first `{placeholder}` of a decoded path, braces included. Not one: a UUID in braces (Bitbucket and SharePoint
 * take ids so), and JSON, which has quotes in it.
 */
export function findPlaceholder(decodedPath: string): string | undefined {
  for (const [braces, content = ""] of decodedPath.matchAll(/\{([^{}]{0,80})\}/g)) {
    if (!uuid.test(content) && !/["']/.test(content)) return braces;
  }
  return undefined;
}
