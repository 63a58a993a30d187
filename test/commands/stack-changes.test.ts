import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runChanges } from '../../infra/commands/stack-changes.ts';
import { typed } from '../support/wire/command.ts';

const directory = mkdtempSync(join(tmpdir(), 'releases-'));
afterAll(() => rmSync(directory, { recursive: true }));

type Templates = Record<
  string,
  { Resources: Record<string, { Type: string; Properties?: object; DeletionPolicy?: string }> }
>;

/** The folder that `cdk synth` would have written. */
function folderOf(name: string, templates: Templates): string {
  const folder = join(directory, name);
  mkdirSync(folder, { recursive: true });
  for (const [part, template] of Object.entries(templates)) {
    const file =
      part === 'Root' ? 'tillstack-demo-live.template.json' : `tillstackdemolive${part}.nested.template.json`;
    writeFileSync(join(folder, file), JSON.stringify(template));
  }
  return folder;
}

const table = (properties: object) => ({ Type: 'AWS::DynamoDB::Table', Properties: properties });
const fn = (hash: string, size = 512) => ({
  Type: 'AWS::Lambda::Function',
  Properties: { Code: { S3Key: hash }, MemorySize: size },
});
const archive = (bus: string) => ({ Type: 'AWS::Events::Archive', Properties: { SourceArn: bus } });
const before: Templates = {
  Root: {
    Resources: {
      Table: table({ KeySchema: 1 }),
      Archive: archive('bus'),
      Pay: fn('1'),
      Refund: fn('1'),
      Gone: fn('1'),
    },
  },
  Dashboard: { Resources: { Route: { Type: 'AWS::ApiGatewayV2::Route', Properties: { RouteKey: 'GET /' } } } },
};
const changed = (change: (templates: Templates) => void): Templates => {
  const copy = structuredClone(before);
  change(copy);
  return copy;
};
const compare = (after: Templates) => typed(runChanges, [folderOf('before', before), folderOf('after', after)]);

describe('the list of changes between two stacks', () => {
  it('says “Nothing” for two builds of the same release', async () => {
    expect(await compare(before)).toMatchObject({ code: 0, out: expect.stringContaining('Nothing.\n') });
  });

  it('counts changes by type, and new code separately from new settings', async () => {
    const after = changed(({ Root: root }) => {
      if (!root) return;
      Object.assign(root.Resources, { Pay: fn('2'), Refund: fn('2', 1_024), New: fn('2') });
      delete root.Resources['Gone'];
    });
    const { code, out } = await compare(after);
    expect(code).toBe(0);
    expect(out).toContain('| `AWS::Lambda::Function` | 1 | 1 | 1 | 1 |');
    expect(out).toContain('Nothing that holds data or has an address is removed or replaced.');
  });

  it.each([
    { policy: 'RetainExceptOnCreate', says: 'leave the stack and stay in the account until their lines expire: 1.' },
    { policy: 'Delete', says: 'Log groups that are deleted with their lines: 1.' },
  ])('names each log group that leaves the stack, and reports no danger: $policy', async ({ policy, says }) => {
    const log = { Type: 'AWS::Logs::LogGroup', DeletionPolicy: policy };
    const logged = changed(({ Root: root }) => Object.assign(root?.Resources ?? {}, { Log: log }));
    const { code, out } = await typed(runChanges, [folderOf('logged', logged), folderOf('after', before)]);
    expect([code, out]).toEqual([0, expect.stringContaining(says)]);
  });

  it.each<{ danger: string; change: (templates: Templates) => void; says: string }>([
    {
      danger: 'another key of the table',
      change: ({ Root: root }) => Object.assign(root?.Resources ?? {}, { Table: table({ KeySchema: 2 }) }),
      says: '- `Table` (`AWS::DynamoDB::Table`) is replaced, because KeySchema changes',
    },
    {
      danger: 'no table',
      change: ({ Root: root }) => delete root?.Resources['Table'],
      says: '- `Table` (`AWS::DynamoDB::Table`) is removed',
    },
    {
      danger: 'an archive of other events',
      change: ({ Root: root }) => Object.assign(root?.Resources ?? {}, { Archive: archive('another bus') }),
      says: '- `Archive` (`AWS::Events::Archive`) is replaced, because SourceArn changes',
    },
    {
      danger: 'a route in another stack',
      change: ({ Root: root, Dashboard: dashboard }) => {
        Object.assign(root?.Resources ?? {}, dashboard?.Resources);
        delete dashboard?.Resources['Route'];
      },
      says: '- `Route` (`AWS::ApiGatewayV2::Route`) moves from Dashboard to Root, which replaces it',
    },
  ])('names a dangerous change, and its command exits with code 1: $danger', async ({ change, says }) => {
    rmSync(join(directory, 'after'), { recursive: true, force: true });
    expect(await compare(changed(change))).toMatchObject({ code: 1, out: expect.stringContaining(says) });
  });

  it('shows that the table stays when the sandbox of version 0.2.0 is compared with live', async () => {
    const of = (stage: string) => {
      const templates = JSON.parse(
        readFileSync(`test/upgrade/version-0-2-0/${stage}.template.json`, 'utf8'),
      ) as Templates;
      return folderOf(stage, templates);
    };
    const { out } = await typed(runChanges, [of('sandbox'), of('live')]);
    expect(out).toMatch(/\| `AWS::DynamoDB::Table` \| {2}\| 1 \|/);
    expect(out).not.toContain('`AWS::DynamoDB::Table`) is');
  });

  it.each([
    { args: [], code: 2, says: 'needs <cdk.out of the old release>' },
    { args: ['one'], code: 2, says: 'needs <cdk.out of the new one>' },
    { args: ['/nowhere', '/nowhere'], code: 1, says: 'There is no folder /nowhere' },
  ])('is not printed for the arguments $args', async ({ args, code, says }) => {
    expect(await typed(runChanges, args)).toEqual({ code, out: '', error: expect.stringContaining(says) });
  });
});
