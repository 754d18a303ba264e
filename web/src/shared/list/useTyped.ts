import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';

/** A pause of this length is the end of a burst of typing. Milliseconds. */
export const typingPauseMs = 200;

/** Words that somebody types, and those that are asked for: trimmed, once there is a pause. */
export function useTyped(): { typed: string; setTyped: (text: string) => void; asked: string } {
  const [typed, setTyped] = useState('');
  const [asked] = useDebouncedValue(typed.trim(), typingPauseMs);
  return { typed, setTyped, asked };
}
