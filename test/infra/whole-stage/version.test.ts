import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { sourceVersionOf } from '../../../infra/version.ts';

const parent = mkdtempSync(join(tmpdir(), 'version-'));
afterAll(() => rmSync(parent, { recursive: true }));
afterEach(() => void vi.unstubAllEnvs());

const git = (folder: string, ...args: string[]): string => {
  const person = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', ['-C', folder, ...person, ...args], { encoding: 'utf8' }).trim();
};

let folders = 0;

function newFolder(inside: string = parent): string {
  folders += 1;
  const folder = join(inside, `release-${folders}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "version": "1.2.3" }\n');
  return folder;
}

function newRepository(): { folder: string; commit: string } {
  const folder = newFolder();
  git(folder, 'init', '--quiet');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message', 'Release 1.2.3');
  return { folder, commit: git(folder, 'rev-parse', 'HEAD').slice(0, 8) };
}

describe('the version of a git checkout', () => {
  it('is the version of the package, with the commit', () => {
    const { folder, commit } = newRepository();
    expect(sourceVersionOf(folder)).toBe(`1.2.3+${commit}`);
  });

  it('is marked as dirty if a file differs from the commit, staged or not', () => {
    const { folder, commit } = newRepository();
    appendFileSync(join(folder, 'package.json'), '\n');
    expect(sourceVersionOf(folder)).toBe(`1.2.3+${commit}.dirty`);
    git(folder, 'add', '.');
    expect(sourceVersionOf(folder)).toBe(`1.2.3+${commit}.dirty`);
  });

  it('stays the same when a new file, such as a merchant’s, is added', () => {
    const { folder, commit } = newRepository();
    writeFileSync(join(folder, 'shop.json'), '{}');
    expect(sourceVersionOf(folder)).toBe(`1.2.3+${commit}`);
  });

  it('is the same with and without a git tag', () => {
    const { folder, commit } = newRepository();
    git(folder, 'tag', 'v9.9.9');
    expect(sourceVersionOf(folder)).toBe(`1.2.3+${commit}`);
  });

  it('is also found in a git work tree, a second checkout of a repository', () => {
    const { folder, commit } = newRepository();
    git(folder, 'worktree', 'add', '--quiet', '--detach', '../work-tree');
    expect(sourceVersionOf(join(parent, 'work-tree'))).toBe(`1.2.3+${commit}`);
  });

  it('is only the package’s version in an archive, even inside another repository', () => {
    expect(sourceVersionOf(newFolder())).toBe('1.2.3');
    expect(sourceVersionOf(newFolder(newRepository().folder))).toBe('1.2.3');
  });

  it('is only the package’s version if git is not installed', () => {
    const { folder } = newRepository();
    vi.stubEnv('PATH', '');
    expect(sourceVersionOf(folder)).toBe('1.2.3');
  });

  it('is not taken from another repository whose git hook is running', () => {
    const { folder, commit } = newRepository();
    vi.stubEnv('GIT_DIR', join(newRepository().folder, '.git'));
    expect(sourceVersionOf(folder)).toBe(`1.2.3+${commit}`);
  });

  it('is a valid value of an AWS tag', () => {
    const { folder } = newRepository();
    appendFileSync(join(folder, 'package.json'), '\n');
    expect(sourceVersionOf(folder)).toMatch(/^[\w .:/=+\-@]{1,256}$/);
  });
});
