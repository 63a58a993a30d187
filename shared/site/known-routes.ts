/**
 * The methods of a path, in the order of the route table. Empty for an unknown path. An entry of `routes` is such as
 * `GET,POST /products /webhooks`.
 */
export function methodsAt(routes: readonly string[], path: string): string[] {
  const segments = path.split('/');
  return routes.flatMap((route) => {
    const [methods = '', ...templates] = route.split(' ');
    return templates.some((template) => matches(template.split('/'), segments)) ? methods.split(',') : [];
  });
}

const matches = (template: readonly string[], segments: readonly string[]): boolean =>
  template.length === segments.length &&
  template.every((part, index) => (part === '{}' ? segments[index] !== '' : part === segments[index]));
