import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../command.ts';

/** Reads the deployment commands in the operators' page. The emulator runs exactly these commands. */
export function deployCommands(page: string = readFileSync(join(root, 'docs/operators.md'), 'utf8')): string[] {
  const [, block] = /<!-- deploy -->\s*```sh\n([\s\S]*?)```/.exec(page) ?? [];
  const commands = (block ?? '')
    .split('\n')
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter((line) => line !== '');
  if (commands.length > 0) return commands;
  throw new Error('docs/operators.md has no block of commands after <!-- deploy -->.');
}

/** The first words of each gap in the list, such as `- **No throttling.** …`. */
export function emulatorGaps(list: string = readFileSync(join(root, 'docs/emulator-gaps.md'), 'utf8')): string[] {
  const gaps = [...list.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, gap = '']) => gap);
  if (gaps.length > 0) return gaps;
  throw new Error('docs/emulator-gaps.md lists nothing.');
}
