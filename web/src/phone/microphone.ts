/** The agent's microphone, or why it cannot be used, with what to do. */
export type Microphone = { kind: 'usable'; stream: MediaStream } | { kind: 'unusable'; detail: string };

const usual: MediaTrackConstraints = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };

/** Asks for the microphone; the browser asks the agent unless it knows the answer. */
export async function openMicrophone(): Promise<Microphone> {
  try {
    return { kind: 'usable', stream: await navigator.mediaDevices.getUserMedia({ audio: usual, video: false }) };
  } catch (error) {
    return { kind: 'unusable', detail: whyNot(error instanceof DOMException ? error.name : '') };
  }
}

export function closeMicrophone(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

function whyNot(name: string): string {
  switch (name) {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'This page may not use the microphone. Allow it in the address bar of the browser.';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'There is no microphone. Plug in a headset.';
    case 'NotReadableError':
    case 'AbortError':
      return 'The microphone is in use by another program, or broken. Close that program, or plug the headset in again.';
    default:
      return 'The microphone cannot be used.';
  }
}
