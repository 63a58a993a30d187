/**
 * The methods that a path answers, in the order of the route table; empty for an unknown path. `routes` are
 * `GET,POST /products /webhooks` and the like.
 */
export function methodsAt(routes: readonly string[], path: string): string[] {
  return routes.flatMap((route) => {
    const [methods = '', ...templates] = route.split(' ');
    return templates.some((template) => matches(template, path)) ? methods.split(',') : [];
  });
}

function matches(template: string, path: string): boolean {
  const [wanted, actual] = [template.split('/'), path.split('/')];
  return (
    wanted.length === actual.length &&
    wanted.every((part, index) => (part === '{}' ? actual[index] !== '' : part === actual[index]))
  );
}
