// The measured page. The runner calls `bench` over the DevTools protocol, one candidate a page.
import { CANDIDATES } from './candidates/index.ts';
import { type Plan, type Results, run } from './workloads.ts';

declare global {
  var bench: (name: string, plan: Plan) => Promise<Results>;
}

globalThis.bench = (name, plan) => {
  const candidate = CANDIDATES.find((one) => one.name === name);
  if (candidate === undefined) throw new Error(`no candidate ${name}`);
  return run(candidate, plan);
};
