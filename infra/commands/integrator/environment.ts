import { homedir } from 'node:os';
import { join } from 'node:path';

/** The environment variables that the command reads. */
export interface UserEnvironment {
  url: string | undefined;
  key: string | undefined;
  profile: string | undefined;
  /** The signing secret of `listen`. By default, each run makes a new one. */
  listenSecret: string | undefined;
  /** The key of the system that `import` reads. */
  importKey: string | undefined;
  /** The file of the profiles. */
  profilesFile: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** The folder for settings of the user. Its place depends on the platform. */
function configFolder({ XDG_CONFIG_HOME, APPDATA }: Variables): string {
  if (XDG_CONFIG_HOME) return XDG_CONFIG_HOME;
  if (process.platform === 'win32' && APPDATA) return APPDATA;
  return join(homedir(), '.config');
}

/** Reads the environment variables of the command. An empty one counts as missing. */
export const userEnvironment = (variables: Variables = process.env): UserEnvironment => ({
  url: variables['TILLSTACK_URL'] || undefined,
  key: variables['TILLSTACK_KEY'] || undefined,
  profile: variables['TILLSTACK_PROFILE'] || undefined,
  listenSecret: variables['TILLSTACK_LISTEN_SECRET'] || undefined,
  importKey: variables['TILLSTACK_IMPORT_KEY'] || undefined,
  profilesFile: join(configFolder(variables), 'tillstack', 'profiles.json'),
});
