/** A form of a page: its address, and the fields that it sends unchanged. */
export interface OfferedForm {
  method: 'GET' | 'POST';
  action: string;
  isMultipart: boolean;
  fields: [name: string, value: string][];
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

const attribute = (tag: string, name: string): string | undefined => {
  const value = new RegExp(`[\\s"]${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : unescaped(value);
};

/** The forms of a page; every button of one makes another form of it. */
export function formsOf(html: string, pagePath: string): OfferedForm[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].flatMap(([, head = '', inner = '']) => {
    const common = {
      method: attribute(` ${head}`, 'method') === 'post' ? ('POST' as const) : ('GET' as const),
      action: attribute(` ${head}`, 'action') ?? pagePath,
      isMultipart: head.includes('multipart/form-data'),
    };
    const fields = fieldsOf(inner);
    const buttons = [...inner.matchAll(/<button\b[^>]*>/g)].flatMap(([tag]): [string, string][] => {
      const name = attribute(tag, 'name');
      return name === undefined ? [] : [[name, attribute(tag, 'value') ?? '']];
    });
    const sent = buttons.length === 0 ? [[]] : buttons.map((button) => [button]);
    return sent.map((button) => ({ ...common, fields: [...fields, ...button] }));
  });
}

function fieldsOf(inner: string): [string, string][] {
  const inputs = [...inner.matchAll(/<(?:input|textarea)\b[^>]*>(?:([^<]*)<\/textarea>)?/g)].flatMap(
    ([tag, text]): [string, string][] => {
      const name = attribute(tag, 'name');
      return name === undefined ? [] : [[name, text ?? attribute(tag, 'value') ?? '']];
    },
  );
  const selects = [...inner.matchAll(/<select\b([^>]*)>([\s\S]*?)<\/select>/g)].flatMap(
    ([, head = '', options = '']): [string, string][] => {
      const name = attribute(` ${head}`, 'name');
      const chosen = /<option\b[^>]*\bselected/.exec(options)?.[0] ?? options;
      return name === undefined ? [] : [[name, attribute(` ${chosen}`, 'value') ?? '']];
    },
  );
  return [...inputs, ...selects];
}
