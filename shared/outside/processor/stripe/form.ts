/** The values of a form to Stripe. `undefined` is left out, and an empty string clears a field. */
export type FormValue =
  | string
  | number
  | boolean
  | undefined
  | readonly FormValue[]
  | { readonly [name: string]: FormValue };

/** Encodes `{line_items: [{quantity: 1}]}` as `line_items[0][quantity]=1`, as the API requires. */
export function encodeForm(parameters: Readonly<Record<string, FormValue>>): string {
  return Object.entries(parameters)
    .flatMap(([name, value]) => pairs(name, value))
    .map(([name, value]) => `${encodeName(name)}=${encodeURIComponent(value)}`)
    .join('&');
}

/** Encodes the name of a field. Brackets are not encoded, as in Stripe's own examples. */
const encodeName = (name: string): string => encodeURIComponent(name).replaceAll('%5B', '[').replaceAll('%5D', ']');

function pairs(name: string, value: FormValue): [string, string][] {
  if (value === undefined) return [];
  if (typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).flatMap(([member, inner]) => pairs(`${name}[${member}]`, inner));
}
