/** Tells HTML and XML by how a text begins. */

/** Takes text. Returns `html` or `xml` when its beginning leaves no doubt. */
export function looksLikeMarkup(text: string): "html" | "xml" | undefined {
  const head = text.slice(0, 2000).replace(/^[\ufeff\s]+/, "");
  if (!head.startsWith("<")) return undefined;
  // Comments and declarations stand before the first element.
  const element = head.replace(/<!--[\s\S]{0,1000}?-->|<\?[^>]{0,500}>/g, "").trimStart();
  if (
    /^<(?:!doctype\s+html|html|head|body|title|meta|h[1-6]|div|p|center|script|style|table)\b/i.test(element)
  )
    return "html";
  if (/^<\?xml\s/.test(head) || /^<!DOCTYPE\s/.test(element)) return "xml";
  return /^<([A-Za-z_][\w:.-]*)(?:\s[^<>]*)?\/?>/.test(element) &&
    /<\/[\w:.-]+\s*>\s*$|\/>\s*$/.test(text.slice(-200))
    ? "xml"
    : undefined;
}
