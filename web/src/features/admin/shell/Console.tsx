import { useState } from 'react';
import { MantineThemeProvider } from '@mantine/core';
import { SignInForm } from '../../../shared/SignInForm.tsx';
import { signOutEverywhere, useSignIn } from '../../../lib/gateway/signIn.ts';
import { AgentConsole } from './AgentConsole.tsx';
import { consoleTheme } from './consoleTheme.ts';
import { EndedLogIn } from './EndedLogIn.tsx';

/**
 * The console of whoever is signed in. A log-in that ends by itself is asked for above the page, which keeps what has
 * not been saved; signing out puts the page away.
 */
export function Console() {
  const signIn = useSignIn();
  const [agent, setAgent] = useState(signIn?.agent ?? null);
  if (signIn !== null && signIn.agent !== agent) setAgent(signIn.agent);
  if (agent === null) return <SignInForm title="Readyline console" />;

  function signOut(): void {
    setAgent(null);
    signOutEverywhere();
  }

  return (
    <MantineThemeProvider theme={consoleTheme}>
      <AgentConsole key={`${agent.id} ${agent.role}`} agent={agent} token={signIn?.token ?? null} onSignOut={signOut} />
      <EndedLogIn isEnded={signIn === null} onSignOut={signOut} />
    </MantineThemeProvider>
  );
}
