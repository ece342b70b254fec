// Runs the checks of one client, one after the other, and tells OtherLanguagesIT how they ended.
//
// Lines on standard output: "ok SUBJECT" for each subject that passed, "not ok SUBJECT" and the
// error where one did not, and "restart" to have the server killed and started again; the answer,
// a line on standard input, comes when it serves again.
import { createInterface } from 'node:readline';

export const port = Number(process.env.PORTEIRO_PORT);
export const password = process.env.PORTEIRO_PASSWORD;
export const protocol = Number(process.env.PORTEIRO_PROTOCOL);

const input = createInterface({ input: process.stdin });
const answers = input[Symbol.asyncIterator]();

/** Kills the server and waits until it serves again. */
export async function restartServer() {
  console.log('restart');
  const { done } = await answers.next();
  if (done) throw new Error('nobody restarts the server');
}

/** Runs every subject of `checks` (name to function), and ends the process with what came out. */
export async function run(checks) {
  let failed = 0;
  for (const [subject, check] of Object.entries(checks)) {
    try {
      await check();
      console.log(`ok ${subject}`);
    } catch (error) {
      failed++;
      console.log(`not ok ${subject}\n${error.stack}`);
    }
  }
  process.exit(failed === 0 ? 0 : 1);
}

/** Waits until `condition` holds; fails with what was awaited after 20 seconds. */
export async function eventually(awaited, condition) {
  const deadline = Date.now() + 20000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not within 20 seconds: ${awaited}`);
    await new Promise((wake) => setTimeout(wake, 5));
  }
}

export const range = (count) => Array.from({ length: count }, (_, i) => i);
