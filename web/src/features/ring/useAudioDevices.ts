import { useEffect, useState } from 'react';
import type { AudioSettings } from '../../lib/sip/audioDevices.ts';
import { type OpenMicrophone, openMicrophone, type Refused } from '../../lib/sip/microphone.ts';
import { Speaker } from '../../lib/sip/speaker.ts';

/** What is plugged in. @param isAllowed the browser tells names once the microphone may be used */
export function useAudioDevices(isAllowed: boolean): MediaDeviceInfo[] {
  const [devices, setDevices] = useState<MediaDeviceInfo[]>([]);
  useEffect(() => {
    const { mediaDevices } = navigator as { mediaDevices?: MediaDevices };
    if (mediaDevices === undefined) return undefined;
    let isOver = false;
    const look = () => void mediaDevices.enumerateDevices().then((found) => !isOver && setDevices(found));
    look();
    mediaDevices.addEventListener('devicechange', look);
    return () => {
      isOver = true;
      mediaDevices.removeEventListener('devicechange', look);
    };
  }, [isAllowed]);
  return devices;
}

/** One's own voice comes back so much later: a word can be told from its echo. Seconds. */
const backAfter = 1;
/** The level is read so often. Milliseconds. */
const readEveryMs = 100;
/** Speech close to a headset has about this effective amplitude, of 1. */
const loud = 0.3;

type MicrophoneTest = { isOpen: boolean; refused: Refused | null; level: number };

/**
 * Opens the microphone as it is chosen, for as long as it is shown. `level`: how loud it is, 0 to 100.
 * @param hears whether the agent hears the own voice, at the chosen speaker
 */
export function useMicrophoneTest(settings: AudioSettings, hears: boolean): MicrophoneTest {
  const [test, setTest] = useState<MicrophoneTest>({ isOpen: false, refused: null, level: 0 });
  const asked = JSON.stringify([
    settings.microphone,
    settings.speaker,
    settings.echoCancellation,
    settings.noiseSuppression,
    hears,
  ]);
  useEffect(() => {
    let isOver = false;
    let end: (() => void) | null = null;
    void openMicrophone().then((microphone) => {
      if (microphone.kind === 'unusable')
        return isOver || setTest({ isOpen: false, refused: microphone.why, level: 0 });
      if (isOver) return microphone.input.close();
      end = listen(microphone.input, hears, (level) => setTest({ isOpen: true, refused: null, level }));
    });
    return () => {
      isOver = true;
      end?.();
    };
  }, [asked, hears]);
  return test;
}

/** @returns how to end it */
function listen(microphone: OpenMicrophone, hears: boolean, tell: (level: number) => void): () => void {
  const context = new AudioContext();
  const source = context.createMediaStreamSource(microphone.stream);
  const analyser = new AnalyserNode(context, { fftSize: 2_048 });
  source.connect(analyser);
  const speaker = new Speaker(() => undefined);
  if (hears) {
    const out = context.createMediaStreamDestination();
    source.connect(new DelayNode(context, { delayTime: backAfter, maxDelayTime: backAfter })).connect(out);
    speaker.play(out.stream);
  }
  const samples = new Float32Array(analyser.fftSize);
  const look = () => {
    analyser.getFloatTimeDomainData(samples);
    const effective = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
    tell(Math.min(100, Math.round((effective / loud) * 100)));
  };
  look();
  const timer = setInterval(look, readEveryMs);
  return () => {
    clearInterval(timer);
    speaker.silence();
    microphone.close();
    void context.close();
  };
}
