/** An XML element. It contains a text, or other elements in their order. */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  content: string | readonly XmlElement[];
}

/** A child of an element. Missing values are left out. */
type Child = XmlElement | false | null | readonly XmlElement[];

/** An element with text. The text is escaped when it is written, never before. */
export const textElement = (
  name: string,
  content: string,
  attributes: Readonly<Record<string, string>> = {},
): XmlElement => ({
  name,
  attributes,
  content,
});

/** An element with text, or nothing if there is no text, because EN 16931 forbids empty elements. */
export const textIf = (name: string, content: string | null | undefined): XmlElement | null =>
  content?.trim() ? textElement(name, content) : null;

/** An element with other elements. */
export const element = (
  name: string,
  children: readonly Child[],
  attributes: Readonly<Record<string, string>> = {},
): XmlElement => ({ name, attributes, content: children.flatMap((child) => child || []) });

/** A complete document in UTF-8. */
export const writeXml = (root: XmlElement): string => `<?xml version="1.0" encoding="UTF-8"?>\n${write(root, '')}`;

function write({ name, attributes, content }: XmlElement, indent: string): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  const start = `${indent}<${name}${pairs.join('')}>`;
  if (typeof content === 'string') return `${start}${escaped(content)}</${name}>\n`;
  return `${start}\n${content.map((child) => write(child, `${indent}  `)).join('')}${indent}</${name}>\n`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Characters that XML 1.0 forbids even if they are escaped: control characters and single surrogates. */
const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const escaped = (content: string): string =>
  content.replace(forbidden, '').replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
