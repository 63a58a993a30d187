import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type FiledPolicy, listOf } from '../../commands/role-widths.ts';
import { assemble } from './assembled.ts';

/** The roles that the CDK's command line takes to deploy what it has written. */
function rolesFor(settings: object): string[] {
  const place = { account: '111111111111', region: 'eu-central-1' };
  const { stacks, assets } = assemble({ stage: 'live', settings: { ...place, ...settings } });
  for (const { dockerImages = {} } of assets) expect(dockerImages).toEqual({});
  const publishing = assets.flatMap(({ files = {} }) =>
    Object.values(files).flatMap(({ destinations }) => Object.values(destinations).map((to) => to.assumeRoleArn)),
  );
  const roles = [...stacks.map(({ assumeRoleArn = '' }) => assumeRoleArn), ...publishing];
  return [...new Set(roles)].map((role) => role.replace(`$\{AWS::Partition}`, 'aws')).sort();
}

const { Statement: statements } = JSON.parse(readFileSync('docs/pipeline/deploy-policy.json', 'utf8')) as FiledPolicy;
const [assuming] = statements;
const allowedIn = (region: string) => listOf(assuming?.Resource).map((role) => role.replace('<region>', region));

it('a deployment needs exactly the CDK’s roles that its policy names', () => {
  expect(rolesFor({})).toEqual(allowedIn('eu-central-1'));
});

it('a stage with protection needs the same roles of us-east-1 too, as docs/releases.md says', () => {
  const both = [...allowedIn('eu-central-1'), ...allowedIn('us-east-1')].sort();
  expect(rolesFor({ protection: 'waf' })).toEqual(both);
});
