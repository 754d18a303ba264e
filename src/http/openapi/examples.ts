import { agentExamples } from './examples/agents.ts';
import { callExamples } from './examples/calls.ts';
import { companyExamples } from './examples/company.ts';
import { integrationExamples } from './examples/integration.ts';
import type { Json } from './schemas.ts';

/** What is sent, and the answer of a success; `answers`: several by name, where one does not show it. */
type Example = { body?: unknown; answer?: unknown; answers?: Readonly<Record<string, unknown>> };

const examples: Readonly<Record<string, Example>> = {
  ...callExamples,
  ...integrationExamples,
  ...agentExamples,
  ...companyExamples,
};

/** The example of an operation's request body, as a field of its media type. */
export function bodyExample(operationId: string): Json {
  return shown(examples[operationId]?.body);
}

/** The examples of an operation's successful answer, as a field of its media type. */
export function answerExamples(operationId: string): Json {
  const { answer, answers } = examples[operationId] ?? {};
  if (answers === undefined) return shown(answer);
  return { examples: Object.fromEntries(Object.entries(answers).map(([name, value]) => [name, { value }])) };
}

function shown(example: unknown): Json {
  return example === undefined ? {} : { example };
}
