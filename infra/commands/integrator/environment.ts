import { homedir } from 'node:os';
import { join } from 'node:path';

/** The environment variables that the command reads. */
export interface UserEnvironment {
  url: string | undefined;
  key: string | undefined;
  profile: string | undefined;
  /** The signing secret of `listen`. Default: a new one for each run. */
  listenSecret: string | undefined;
  /** The file of the profiles. */
  profilesFile: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** The user's config folder, as the platform names it. */
function configFolder({ XDG_CONFIG_HOME, APPDATA }: Variables): string {
  if (XDG_CONFIG_HOME) return XDG_CONFIG_HOME;
  if (process.platform === 'win32' && APPDATA) return APPDATA;
  return join(homedir(), '.config');
}

/** Reads the command’s environment variables. An empty one counts as absent. */
export const userEnvironment = (variables: Variables = process.env): UserEnvironment => ({
  url: variables['TILLSTACK_URL'] || undefined,
  key: variables['TILLSTACK_KEY'] || undefined,
  profile: variables['TILLSTACK_PROFILE'] || undefined,
  listenSecret: variables['TILLSTACK_LISTEN_SECRET'] || undefined,
  profilesFile: join(configFolder(variables), 'tillstack', 'profiles.json'),
});
