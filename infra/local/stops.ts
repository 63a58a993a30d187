import { describeError, logError } from '../../shared/log.ts';

/** Stops a running part. */
export type Stop = () => void | Promise<void>;

/** Stops all parts in reverse order, even if some of them fail. */
export async function stopAll(stops: Stop[]): Promise<void> {
  for (let stop = stops.pop(); stop; stop = stops.pop()) {
    try {
      await stop();
    } catch (error) {
      logError('A part of the sandbox did not stop.', describeError(error));
    }
  }
}

/** Records how to stop a part as soon as it runs, even if another part fails to start. */
export async function keep<Part extends { stop(): Promise<void> }>(
  stops: Stop[],
  starting: Promise<Part>,
): Promise<Part> {
  const part = await starting;
  stops.push(() => part.stop());
  return part;
}
