const proven = { proof: 'proven_schema' as const, note: 'newCall, answer and hangup, as a form or JSON.' };
const form = { proof: 'proven_form' as const, note: 'By any HTTP client.' };
const none = { proof: null, note: 'The protocol has no requests to the PBX.' };

const push = {
  id: 'push',
  name: 'PBX',
  summary: 'Bridges made for Zammad’s generic CTI work unchanged: point them at Readyline.',
  abilities: { lookup: form, pop: form, events: proven, states: none, set_states: none, dial: none },
};

/** The catalog of telephony platforms. */
export const ctiRecipeExamples = {
  listConnectors: { answer: { connectors: [push] } },
  readConnector: {
    answer: {
      ...push,
      steps: [
        {
          title: 'Point the bridge here',
          text: 'Enter the event address as the bridge’s Zammad CTI endpoint.',
          value: 'https://readyline.example.com/api/integrations/cti/events/push/YOUR-TOKEN',
        },
      ],
      files: [],
      guide: 'docs/connectors/push.md',
    },
  },
  downloadConnectorFile: { answer: '{}' },
};
