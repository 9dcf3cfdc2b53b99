const NAME = '[a-zA-Z][a-zA-Z0-9-]*';
const TAG = new RegExp(`^<(/?)(${NAME})((?: ${NAME}="[^"<&]*(?:&(?:amp|lt|gt|quot|#39);[^"<&]*)*")*)(/?)>$`);
const TEXT = /^[^<&]*(?:&(?:amp|lt|gt|quot|#39);[^<&]*)*$/;

/** What keeps a text from being XML; nothing when it is. Knows as much of XML as our drawings use. */
export function flawsOfXml(xml: string): string[] {
  const open: string[] = [];
  const flaws: string[] = [];
  for (const piece of xml.split(/(<[^>]*>)/).filter(Boolean)) {
    const tag = TAG.exec(piece);
    if (!tag) {
      if (piece.startsWith('<') || !TEXT.test(piece)) flaws.push(`not well-formed: ${piece}`);
      continue;
    }
    const [, closes, name, attributes, empty] = tag;
    const names = [...attributes!.matchAll(/ ([a-zA-Z0-9-]+)="/g)].map(([, attribute]) => attribute);
    if (new Set(names).size < names.length) flaws.push(`an attribute stands twice: ${piece}`);
    if (closes && open.pop() !== name) flaws.push(`closed without being open: ${piece}`);
    if (!closes && !empty) open.push(name!);
  }
  return [...flaws, ...open.map((name) => `never closed: ${name}`)];
}
