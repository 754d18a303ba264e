import {
  IconBroadcast,
  IconHistory,
  IconHome,
  IconListDetails,
  IconPhone,
  IconPlugConnected,
  IconUsers,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Role } from '../../../../../src/contract/vocabulary.ts';

type Destination = {
  /** Below `/admin`. */
  path: string;
  label: string;
  icon: ComponentType<{ size?: number | string; stroke?: number | string }>;
  roles: readonly Role[];
};

/** Where the console leads, in the order of the navigation. */
export const destinations: readonly Destination[] = [
  { path: '/', label: 'Overview', icon: IconHome, roles: ['admin'] },
  { path: '/live', label: 'Wallboard', icon: IconBroadcast, roles: ['admin', 'supervisor'] },
  { path: '/connect', label: 'Connection', icon: IconPlugConnected, roles: ['admin'] },
  { path: '/deliveries', label: 'Delivery log', icon: IconHistory, roles: ['admin'] },
  { path: '/agents', label: 'Agents', icon: IconUsers, roles: ['admin', 'supervisor'] },
  { path: '/company', label: 'Call handling', icon: IconListDetails, roles: ['admin'] },
  { path: '/telephony', label: 'Telephony', icon: IconPhone, roles: ['admin'] },
];
