import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';

const { resolve } = createRequire(import.meta.url);
const packageDirectory = join(dirname(resolve('@sparticuz/chromium')), '..', '..');
const { version } = JSON.parse(readFileSync(join(packageDirectory, 'package.json'), 'utf8')) as { version: string };

/** The folder in which the unpacked browser and its list of fonts stay between runs. */
const keptBetweenRuns = process.env['USUAL_TMPDIR'] ?? tmpdir();
const unpackedDirectory = join(keptBetweenRuns, `tillstack-chromium-${version}`);

const flags = [
  '--js-flags=--no-opt --no-maglev', // no page of a test lives long enough to gain from optimized code
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Gives no memory to drawing: the page has its layout, styles and frames, but no pixels. Tests that take no pictures
 * need none.
 */
const withoutPixels = '--force-gpu-mem-available-mb=0';

/**
 * A real Chromium: the one at CHROME_PATH, the one in the npm package, or the system's. A browser for tests without
 * pictures does not draw, which saves time.
 */
export async function launchBrowser({ takesPictures = true } = {}): Promise<Browser> {
  const common = { args: takesPictures ? flags : [...flags, withoutPixels], chromiumSandbox: false };
  const found = findChromium();
  if (found) return chromium.launch({ ...common, ...found });
  for (const channel of ['chrome', 'msedge']) {
    const browser = await chromium.launch({ ...common, channel }).catch(() => undefined);
    if (browser) return browser;
  }
  throw new Error('No Chromium starts here: install Chrome or Edge, or set CHROME_PATH to a Chromium.');
}

type Environment = Record<string, string>;

interface Candidate {
  executablePath: string;
  env: Environment;
}

function findChromium(): Candidate | undefined {
  for (const find of [named, packaged, packagedWithLibraries, system]) {
    const candidate = find();
    if (candidate && starts(candidate)) return candidate;
  }
  return undefined;
}

/** The environment, with names of files in UTF-8, also where no language is set. */
const inherited = (): Environment => ({ ...process.env, LC_ALL: 'C.UTF-8' }) as Environment;

function named(): Candidate | undefined {
  const executablePath = process.env['CHROME_PATH'] ?? process.env['CHROMIUM_PATH'];
  return executablePath ? { executablePath, env: inherited() } : undefined;
}

/** The package's browser is built for Linux on x64. */
function packaged(): Candidate | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  if (!existsSync(join(packageDirectory, 'bin', 'chromium.br'))) return undefined;
  if (!existsSync(unpackedDirectory)) unpack();
  const executablePath = join(unpackedDirectory, 'chromium');
  return { executablePath, env: { ...inherited(), FONTCONFIG_FILE: join(unpackedDirectory, 'fonts.conf') } };
}

/** The package contains the libraries that machines without a desktop lack. */
function packagedWithLibraries(): Candidate | undefined {
  const candidate = packaged();
  return candidate && { ...candidate, env: { ...candidate.env, LD_LIBRARY_PATH: join(unpackedDirectory, 'lib') } };
}

function system(): Candidate | undefined {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
    existsSync(path),
  );
  return executablePath ? { executablePath, env: inherited() } : undefined;
}

function starts({ executablePath, env }: Candidate): boolean {
  try {
    execFileSync(executablePath, ['--version', '--no-sandbox'], { env, stdio: 'ignore', timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
}

/** Unpacks into a temporary folder and then moves it, so no process finds half a browser. */
function unpack(): void {
  const directory = mkdtempSync(join(keptBetweenRuns, 'tillstack-unpacking-'));
  const unbrotli = (name: string) => brotliDecompressSync(readFileSync(join(packageDirectory, 'bin', name)));
  writeFileSync(join(directory, 'chromium'), unbrotli('chromium.br'), { mode: 0o755 });
  for (const name of ['al2023.tar', 'fonts.tar', 'swiftshader.tar'])
    execFileSync('tar', ['-x', '-C', directory], { input: unbrotli(`${name}.br`) });
  writeFileSync(join(directory, 'fonts.conf'), fontsConfig);
  mkdirSync(dirname(unpackedDirectory), { recursive: true });
  try {
    renameSync(directory, unpackedDirectory);
  } catch {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Prefers the package's font to the machine's, so pictures look alike. */
const fontsConfig = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(unpackedDirectory, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <cachedir>${join(keptBetweenRuns, 'tillstack-fonts')}</cachedir>
  <alias><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
</fontconfig>
`;
