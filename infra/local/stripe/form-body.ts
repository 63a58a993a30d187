/** The decoded form of a request to Stripe: `a[b][0]=c` becomes `{a: {b: {0: 'c'}}}`. */
export interface FormBody {
  [name: string]: string | FormBody;
}

export function decodeForm(text: string): FormBody {
  const body: FormBody = Object.create(null);
  for (const [name, value] of new URLSearchParams(text))
    put(
      body,
      name.split('[').map((part) => part.replace(/\]$/, '')),
      value,
    );
  return body;
}

function put(body: FormBody, [name = '', ...rest]: string[], value: string): void {
  if (rest.length === 0) {
    body[name] = value;
    return;
  }
  const known = body[name];
  const inner: FormBody = typeof known === 'object' ? known : Object.create(null);
  body[name] = inner;
  put(inner, rest, value);
}

/** The text at a path such as `line_items.0.quantity`; undefined if there is none. */
export function textAt(body: FormBody, path: string): string | undefined {
  let found: string | FormBody | undefined = body;
  for (const name of path.split('.')) found = typeof found === 'object' ? found[name] : undefined;
  return typeof found === 'string' ? found : undefined;
}

/** All texts of a member that is an object, such as metadata. */
export function textsAt(body: FormBody, path: string): Record<string, string> {
  let found: string | FormBody | undefined = body;
  for (const name of path.split('.')) found = typeof found === 'object' ? found[name] : undefined;
  const members = typeof found === 'object' ? Object.entries(found) : [];
  return Object.fromEntries(members.filter((member): member is [string, string] => typeof member[1] === 'string'));
}
