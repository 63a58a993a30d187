import { setTimeout as pause } from 'node:timers/promises';
import { CommandError, type Environment, quoted, runLine } from '../command.ts';
import { type Emulator, names } from '../emulator.ts';
import { say } from '../say.ts';

/** How many milliseconds a stream record, the bus, a queue and cold functions may take on a busy machine. */
const patienceMs = 180_000;

/** A shell of an operator. Variables that a command exports are set for the next commands. */
export class OperatorShell {
  private readonly emulator: Emulator;
  /** The address and the key of the fake Stripe. */
  private readonly stripe: { url: string; key: string };
  private readonly exported: Record<string, string>;

  constructor(emulator: Emulator, stripe: { url: string; key: string }) {
    this.emulator = emulator;
    this.stripe = stripe;
    this.exported = { CURL_CA_BUNDLE: emulator.environment['AWS_CA_BUNDLE'] ?? '' };
  }

  export(name: string, value: string): void {
    this.exported[name] = value;
  }

  /** Runs a command line, prints its output and returns it. If the command fails, the drill fails. */
  async run(line: string): Promise<string> {
    say(`  $ ${line}`);
    const output = await runLine(this.played(line), this.environmentOf(line));
    const said = output.trim().split('\n');
    for (const text of said.slice(-8)) say(`    ${text}`);
    return output;
  }

  /** Runs a command line and returns its output without printing it. */
  read(line: string): Promise<string> {
    return runLine(this.played(line), this.environmentOf(line));
  }

  /** Repeats a command line until it fails with the expected output. A fault may take some time to show. */
  async fail(line: string, says: RegExp): Promise<void> {
    for (const end = performance.now() + patienceMs; ; await pause(2_000))
      try {
        const said = await this.failOnce(line);
        if (says.test(said)) return;
        throw new Error(`${line}\ndid not say ${says}:\n${said}`);
      } catch (error) {
        if (performance.now() > end) throw error;
      }
  }

  private async failOnce(line: string): Promise<string> {
    say(`  $ ${line}`);
    const failure = await runLine(this.played(line), this.environmentOf(line)).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!(failure instanceof CommandError)) throw failure ?? new Error(`${line}\nfound nothing wrong.`);
    const said = failure.message.split('\n').slice(2);
    for (const text of said.filter((one) => !one.startsWith('[x]')).slice(0, 6)) say(`    ${text}`);
    return failure.message;
  }

  /** Repeats a command line until it succeeds with the expected output. */
  async until(line: string, says = /(?:)/): Promise<string> {
    for (const end = performance.now() + patienceMs; ; await pause(2_000))
      try {
        const said = await this.run(line);
        if (says.test(said)) return said;
        throw new Error(`${line}\ndid not say ${says}:\n${said}`);
      } catch (error) {
        if (performance.now() > end) throw error;
      }
  }

  private environmentOf(line: string): Environment {
    const speaksToApi = line.includes(' tillstack ');
    return { ...this.emulator.environment, ...this.exported, ...(speaksToApi && names) };
  }

  /**
   * Changes commands that call Stripe, so that they call the fake one. They get its key on standard input, where an
   * operator would type it.
   */
  private played(line: string): string {
    const speaksToStripe = /npm run (--silent )?(processor|books) -- (set|check|restore|issue)/.test(line);
    const led = speaksToStripe ? `${line} --processor-url ${this.stripe.url}` : line;
    return line.includes('processor -- set') ? `printf %s ${quoted(this.stripe.key)} | ${led}` : led;
  }
}
