/** A statement of a trust or a policy of IAM, as a file has it. */
export interface FiledStatement {
  Effect?: string;
  Principal?: unknown;
  Action?: string | string[];
  Resource?: string | string[];
  Condition?: Record<string, Record<string, string | string[]>>;
}

export interface FiledPolicy {
  Statement: FiledStatement[];
}

const provider = 'token.actions.githubusercontent.com';
const account = '111111111111';

export const listOf = <T>(value: T | T[] | undefined): T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

/** What a statement allows in words of its own. Others, such as `NotAction`, allow all but something. */
const known = new Set(['Sid', 'Effect', 'Principal', 'Action', 'Resource', 'Condition']);
const strangeKeys = (statement: FiledStatement): string[] => Object.keys(statement).filter((key) => !known.has(key));

/** What a trust lets in beside one subject of the merchant's repository. */
export const widthsOfTrust = ({ Statement: statements }: FiledPolicy, subject: string): string[] =>
  statements.filter(({ Effect }) => Effect !== 'Deny').flatMap((statement) => widthsOfEntry(statement, subject));

function widthsOfEntry(statement: FiledStatement, subject: string): string[] {
  const { Principal: principal, Action: action, Condition: { StringEquals: equals = {}, ...others } = {} } = statement;
  const federated = { Federated: `arn:aws:iam::${account}:oidc-provider/${provider}` };
  const subjects = listOf(equals[`${provider}:sub`]);
  const audiences = listOf(equals[`${provider}:aud`]);
  return [
    ...strangeKeys(statement),
    ...Object.keys(others),
    ...(JSON.stringify(principal) === JSON.stringify(federated) ? [] : ['Principal']),
    ...listOf(action).filter((one) => one !== 'sts:AssumeRoleWithWebIdentity'),
    ...(subjects.length === 0
      ? ['every subject']
      : subjects.filter((one) => one !== `repo:<organization>/<repository>:${subject}`)),
    ...(audiences.length === 0 ? ['every audience'] : audiences.filter((one) => one !== 'sts.amazonaws.com')),
  ];
}

interface Limits {
  /** Which of the CDK's roles may be taken: `deploy`. */
  roles: readonly string[];
  /** What may be asked of AWS. */
  reads: ReadonlySet<string>;
}

/** The ARN of one of the CDK's roles, as the files name it. */
export const roleOf = (role: string): string =>
  `arn:aws:iam::${account}:role/cdk-hnb659fds-${role}-role-${account}-<region>`;

/** What a policy allows beside taking the named roles and reading what is named. */
export const widthsOfPolicy = ({ Statement: statements }: FiledPolicy, limits: Limits): string[] =>
  statements.filter(({ Effect }) => Effect !== 'Deny').flatMap((statement) => widthsOfGrant(statement, limits));

function widthsOfGrant(statement: FiledStatement, { roles, reads }: Limits): string[] {
  const actions = listOf(statement.Action);
  const resources = listOf(statement.Resource);
  const assumed = roles.map(roleOf);
  return [
    ...strangeKeys(statement),
    ...(actions.length === 0 || resources.length === 0 ? ['no action or no resource'] : []),
    ...actions.filter((action) => action !== 'sts:AssumeRole' && !reads.has(action)),
    ...(actions.includes('sts:AssumeRole') ? resources.filter((resource) => !assumed.includes(resource)) : []),
  ];
}
