import { UsageError } from '../../usage-error.ts';
import type { ProgramCommand } from '../kit/command.ts';
import { tableText } from '../kit/table-text.ts';
import type { Context } from './context.ts';
import { assertKey, baseUrlOf, modeOf, readProfiles, usualProfile, writeProfiles } from './profiles.ts';

const profileName = (typedName: string | undefined): string => {
  const name = typedName ?? usualProfile;
  if (/^[a-z0-9][a-z0-9-]{0,40}$/.test(name)) return name;
  throw new UsageError('A profile has a name of lower-case letters, digits and hyphens.');
};

export const profileCommands: readonly ProgramCommand<Context>[] = [
  {
    name: 'profile set',
    summary: 'Saves the address and the key of a stack.',
    takes: ['[name]'],
    options: { url: { value: '<address>', help: 'the address of the API' } },
    details: `The key is read from the terminal without showing it, or from standard input. It is stored in your config folder, in
a file that only you may read. The name is "default" if you give none.`,
    examples: ['profile set --url http://localhost:4000', 'profile set live --url https://pay.example.com < key.txt'],
    run: async (typed, { terminal, environment: { profilesFile } }) => {
      const name = profileName(typed.words[0]);
      const url = baseUrlOf(typed.needed('url'));
      const profiles = await readProfiles(profilesFile);
      const key = await terminal.secret(`The API key for ${url}: `);
      assertKey(key);
      await writeProfiles(profilesFile, { ...profiles, [name]: { url, key } });
      return { text: `The profile ${name} is saved in ${profilesFile}.`, json: { name, url, mode: modeOf(key) } };
    },
  },
  {
    name: 'profile list',
    summary: 'Lists the saved stacks, without their keys.',
    examples: ['profile list'],
    run: async (_, { environment: { profilesFile } }) => {
      const saved = Object.entries(await readProfiles(profilesFile));
      const rows = saved.map(([name, { url, key }]) => ({ name, mode: modeOf(key), url }));
      const table = tableText(
        ['name', 'mode', 'address'],
        rows.map(({ name, mode, url }) => [name, mode, url]),
      );
      return { text: rows.length === 0 ? 'No profile is saved.' : table, json: rows };
    },
  },
  {
    name: 'profile remove',
    summary: 'Forgets a saved stack and its key.',
    takes: ['<name>'],
    examples: ['profile remove live'],
    run: async (typed, { environment: { profilesFile } }) => {
      const { [typed.word(0)]: removed, ...others } = await readProfiles(profilesFile);
      if (!removed) throw new UsageError(`There is no profile ${typed.word(0)}.`);
      await writeProfiles(profilesFile, others);
      return { text: `The profile ${typed.word(0)} is removed.`, json: { name: typed.word(0) } };
    },
  },
];
