import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../command.ts';

/** The commands that the README gives for a deployment, word for word: what stands in its block is what is run. */
export function readmeCommands(readme: string = readFileSync(join(root, 'README.md'), 'utf8')): string[] {
  const [, block] = /<!-- deploy -->\s*```sh\n([\s\S]*?)```/.exec(readme) ?? [];
  const commands = (block ?? '')
    .split('\n')
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter((line) => line !== '');
  if (commands.length > 0) return commands;
  throw new Error('The page has no block of commands after <!-- deploy -->.');
}

/** The gaps that are listed, by their first words: `- **No throttling.** …`. */
export function emulatorGaps(list: string = readFileSync(join(root, 'docs/emulator-gaps.md'), 'utf8')): string[] {
  const gaps = [...list.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, gap = '']) => gap);
  if (gaps.length > 0) return gaps;
  throw new Error('docs/emulator-gaps.md lists nothing.');
}
