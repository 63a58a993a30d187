import {
  cruise,
  type ICruiseResult,
  type IForbiddenRuleType,
  type IRegularForbiddenRuleType,
} from 'dependency-cruiser';
import { rooms } from './rooms.ts';

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** A place of the table as a pattern of resolved paths. */
function patternOf(place: string): string {
  // no file of ours and none of a package is named without a dot; a list of all modules takes seconds to be checked
  if (place === 'node:') return '^(node:)?[a-z_/]+$';
  if (place.startsWith('node:')) return `^(node:)?${literal(place.slice(5))}$`;
  if (/^(shared|functions|infra)\b/.test(place)) return `^${literal(place)}${place.endsWith('.ts') ? '$' : '/'}`;
  return `(^|/)node_modules/(@types/)?${literal(place)}/|^${literal(place)}(/|$)`;
}

const isWithin = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);

export const hasRoom = (path: string): boolean => rooms.some(({ of }) => isWithin(path, of));

const ruleOf = (
  name: string,
  from: IRegularForbiddenRuleType['from'],
  to: IRegularForbiddenRuleType['to'],
): IForbiddenRuleType => ({
  name,
  severity: 'error',
  from,
  to,
});

/** What a room may not import: values beyond its list, and types beyond its two lists. */
function rulesOf({ of, may, types = [] }: (typeof rooms)[number]): IForbiddenRuleType[] {
  const rest = rooms.map((room) => room.of).filter((place) => place !== of && isWithin(place, of));
  const from = { path: patternOf(of), pathNot: rest.map(patternOf) };
  const beyond = (places: readonly string[]) => (places.length > 0 ? { pathNot: places.map(patternOf) } : {});
  const values = ruleOf(`${of} imports a value`, from, { ...beyond(may), dependencyTypesNot: ['type-only'] });
  const all = ruleOf(`${of} imports a type`, from, { ...beyond([...may, ...types]), dependencyTypes: ['type-only'] });
  return [values, all];
}

const everywhere: IForbiddenRuleType[] = [
  ruleOf('imports go round in a circle', {}, { circular: true }),
  // only CloudFront has the module of its functions
  ruleOf('an import leads nowhere', {}, { couldNotResolve: true, pathNot: '^cloudfront$' }),
];

/** Every import below a directory, types included, with what the table says against it. */
export async function readImports(baseDir: string): Promise<ICruiseResult> {
  const { output } = await cruise(['shared', 'functions', 'infra'], {
    baseDir,
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'node', 'import', 'default'],
      mainFields: ['module', 'main', 'types', 'typings'],
      extensions: ['.ts', '.js', '.d.ts'],
    },
    validate: true,
    ruleSet: { forbidden: [...rooms.flatMap(rulesOf), ...everywhere] },
  });
  return output as ICruiseResult;
}

/** The sentences of a report: `shared/domain/x.ts → undici: shared/domain imports a value`. */
export const violationsOf = ({ summary }: ICruiseResult): string[] =>
  summary.violations.map(({ from, to, rule }) => `${from} → ${to}: ${rule.name}`);
