/** What a form of Stripe's can carry. `undefined` is left out, an empty string empties. */
export type FormValue =
  | string
  | number
  | boolean
  | undefined
  | readonly FormValue[]
  | { readonly [name: string]: FormValue };

/** `{line_items: [{quantity: 1}]}` as `line_items[0][quantity]=1`: the encoding that the API reads. */
export function encodeForm(parameters: Readonly<Record<string, FormValue>>): string {
  return Object.entries(parameters)
    .flatMap(([name, value]) => pairs(name, value))
    .map(([name, value]) => `${encodeName(name)}=${encodeURIComponent(value)}`)
    .join('&');
}

/** Brackets stay readable, as in Stripe's own examples. */
const encodeName = (name: string): string => encodeURIComponent(name).replaceAll('%5B', '[').replaceAll('%5D', ']');

function pairs(name: string, value: FormValue): [string, string][] {
  if (value === undefined) return [];
  if (typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).flatMap(([member, inner]) => pairs(`${name}[${member}]`, inner));
}
