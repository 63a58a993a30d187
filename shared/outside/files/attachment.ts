/**
 * The header that makes a browser save a file under its own name, in every script (RFC 6266). Old clients read the
 * first name, which contains only ASCII characters. Neither name can end the header or contain another folder.
 */
export function attachmentNamed(name: string): string {
  const ascii = name.replace(/[^ -~]|["\\/%]/gu, '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded(name)}`;
}

/** Percent-encodes everything except the characters that RFC 5987 allows. */
const encoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed().replaceAll(/[/\\]/g, '_')).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
