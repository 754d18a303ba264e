import type { CallEvent } from '../connectors/connector.ts';
import type { AgentCard, Company } from '../domain/company.ts';
import type { AgentId, CallId, ClaimId, CompanyId, NodeId, TeamId } from '../domain/ids.ts';
import type { Agent, AgentKey, AgentStore } from '../ports/agents.ts';
import type { CallLogOutbox } from '../ports/callLog.ts';
import type { CallStore, IdempotencyStore } from '../ports/calls.ts';
import type { Clock } from '../ports/clock.ts';
import type { Colleagues } from '../ports/colleagues.ts';
import type { CompanyStore } from '../ports/companies.ts';
import type { ContactSearch, ContactStore, OrganisationStore } from '../ports/contacts.ts';
import type { DealStore, PipelineStore } from '../ports/deals.ts';
import type { AuditStore } from '../ports/audit.ts';
import type { DoNotDialStore, SoftphoneKeep } from '../ports/dialing.ts';
import type { DuplicateStore } from '../ports/duplicates.ts';
import type { Counters } from '../ports/counters.ts';
import type { ReadCsvFile } from '../ports/csvFiles.ts';
import type { ImportStore } from '../ports/imports.ts';
import type { IntegrationStore } from '../ports/integrations.ts';
import type { MessageStore } from '../ports/messages.ts';
import type { NodeTable } from '../ports/nodes.ts';
import type { Observer } from '../ports/observer.ts';
import type { Outbox } from '../ports/outbox.ts';
import type { AgentTimeStore, CallRollUpStore, ReportStore, TrendReader } from '../ports/reports.ts';
import type { ReportScheduleStore, ReportViewStore } from '../ports/reportViews.ts';
import type { PopLayoutStore } from '../ports/popLayouts.ts';
import type { PresenceStore } from '../ports/presence.ts';
import type { ScreenPopStore } from '../ports/screenPops.ts';
import type { ApiKeys, PasswordHasher, SecretCipher, TokenIssuer } from '../ports/secrets.ts';
import type { Softphones } from '../ports/softphones.ts';
import type { TaskStore } from '../ports/tasks.ts';
import type { TeamStore } from '../ports/teams.ts';
import type { CrmClient, CrmConnectionStore, CrmLoginStore, CrmLookup, CrmProviders } from '../ports/crm.ts';
import type { CrmInboundStore, CrmNoticeStore, CrmRecordReader } from '../ports/crmInbound.ts';
import type {
  CtiConnection,
  CtiConnectionStore,
  PlatformAgentStore,
  PlatformDialer,
  PlatformLines,
  PlatformStates,
} from '../ports/cti.ts';
import type { HeardCallStore, WaitingEventStore } from '../ports/platformNews.ts';
import type { DemoCarrier, TelephonyStore } from '../ports/telephony.ts';
import type { AgentHistory, ClickResult, ClickTallies } from '../ports/wallboard.ts';
import type { WebhookSender, WebhookUrlGuard } from '../ports/webhookSender.ts';
import type { LoginQueue } from './auth/loginQueue.ts';
import type { LoginThrottle } from './auth/loginThrottle.ts';
import type { CompanyShare } from './concurrency/companyShare.ts';
import type { FairDoor } from './concurrency/fairDoor.ts';
import type { KeyedMutex } from './concurrency/keyedMutex.ts';
import type { RetryRegistry } from './concurrency/retryUntilSuccess.ts';

/** What is kept, by a store for each kind of thing. */
type Stores = {
  agents: AgentStore;
  teams: TeamStore;
  companies: CompanyStore;
  integrations: IntegrationStore;
  telephony: TelephonyStore;
  popLayouts: PopLayoutStore;
  calls: CallStore;
  idempotency: IdempotencyStore;
  outbox: Outbox;
  screenPops: ScreenPopStore;
  softphoneKeep: SoftphoneKeep;
  /** What nobody of the company dials. */
  doNotDial: DoNotDialStore;
  /** What supervisors wrote for softphones. */
  messages: MessageStore;
  agentHistory: AgentHistory;
  clickTallies: ClickTallies;
  reports: ReportStore;
  agentTimes: AgentTimeStore;
  callRollUps: CallRollUpStore;
  reportViews: ReportViewStore;
  reportSchedules: ReportScheduleStore;
  /** How the day goes, counted once for all who look. */
  trends: TrendReader;
};

/** Who is there and Ready, on which gateway, and what reaches softphones. */
type PresenceServices = {
  presence: PresenceStore;
  nodes: NodeTable;
  softphones: Softphones;
  /** Null: there is none. */
  demoCarrier: DemoCarrier | null;
  /** Who works at a company and what they are doing, for those who look for somebody. */
  colleagues: Colleagues;
  /** Calls of this process that are being offered or recorded. */
  dialsUnderWay: Map<CallId, Promise<unknown>>;
  /**
   * Claims of this process that the store never answered, while the agents they may have taken are being looked for.
   */
  unansweredClaims: Map<CompanyId, Set<ClaimId>>;
};

/** The built-in CRM. */
type BuiltInCrm = {
  contacts: ContactStore;
  contactSearch: ContactSearch;
  organisations: OrganisationStore;
  duplicates: DuplicateStore;
  audit: AuditStore;
  tasks: TaskStore;
  deals: DealStore;
  pipelines: PipelineStore;
  imports: ImportStore;
  readCsvFile: ReadCsvFile;
  /**
   * What is kept of a number or address that was erased: the same text for the same one of a company,
   * which does not tell it.
   */
  hashErased: (companyId: CompanyId, key: string) => string;
};

/** The CRM systems that companies connect. */
type CrmServices = {
  crm: CrmClient;
  crmProviders: CrmProviders;
  crmConnections: CrmConnectionStore;
  crmLogins: CrmLoginStore;
  crmLookup: CrmLookup;
  crmInbound: CrmInboundStore;
  crmNotices: CrmNoticeStore;
  crmRecordReader: CrmRecordReader;
  /** Calls on their way into CRM systems. */
  callLog: CallLogOutbox;
};

/** Telephony platforms. */
type CtiServices = {
  ctiConnections: CtiConnectionStore;
  platformAgents: PlatformAgentStore;
  platformDialer: PlatformDialer;
  platformStates: PlatformStates;
  platformLines: PlatformLines;
  heardCalls: HeardCallStore;
  waitingEvents: WaitingEventStore;
  /** Keeps what a platform told while a dial is being decided, and has it count once that is. */
  takeEventLater: (connection: CtiConnection, event: CallEvent) => Promise<void>;
};

/** Who may come in, by what secrets, how often and how much at once. */
type Access = {
  tokens: TokenIssuer;
  passwords: PasswordHasher;
  apiKeys: ApiKeys;
  cipher: SecretCipher;
  loginThrottle: LoginThrottle;
  loginQueue: LoginQueue;
  counters: Counters;
  /** What a company may have this process do at once: read lists, make reports, search contacts, look numbers up. */
  shares: Readonly<Record<'lists' | 'lookUps' | 'reports' | 'searches', CompanyShare>>;
  /** Requests come in by it. */
  door: FairDoor;
  /** 256 random bits as 43 letters of `[A-Za-z0-9_-]`. */
  newSecretText: () => string;
  /** A new webhook signing secret, as it is shown. */
  newWebhookSecret: () => string;
};

/** What takes webhooks to their receivers. */
type Webhooks = {
  sender: WebhookSender;
  urlGuard: WebhookUrlGuard;
  /** Companies whose webhook is being tested by this process. */
  testsUnderWay: Set<CompanyId>;
};

/** What is told to other parts of this gateway, and to the other gateways. */
type Signals = {
  /** Drops what is cached of a company: itself, its agents, keys and tokens. */
  forget: (companyId: CompanyId) => void;
  /** Counts a click that was answered, for the wallboard. */
  countClick: (companyId: CompanyId, result: ClickResult) => void;
  /** Others may have taken this gateway for dead: the dispatcher renews its leases before it sends more. */
  markLeasesUncertain: () => void;
  /** Tells the dispatchers that deliveries of a company may wait; null: of any. */
  wakeDispatcher: (companyId: CompanyId | null) => void;
  /** Tells the reminders that a task was set or changed. */
  wakeReminders: () => void;
  /** Tells the scheduler of reports that a report was scheduled. */
  wakeReportScheduler: () => void;
  /** Contacts wait to be compared, and somebody looks at what is found. */
  wakeDuplicateFinder: () => void;
  /** A connection with a telephony platform was changed, at which this gateway may have to listen. */
  wakePlatformListener: () => void;
  /** Tells the importer of this gateway that an import waits. */
  wakeImporter: () => void;
  /** Whether the dispatcher's latest look into the outbox succeeded. */
  dispatcherWorks: () => boolean;
};

/** What this process has for itself. */
type OfThisProcess = {
  clock: Clock;
  observer: Observer;
  /** This gateway process. */
  nodeId: NodeId;
  /** A new time-ordered UUID (version 7). */
  newId: () => string;
  /** Cached for at most 5 s. Throws for a company that does not exist. */
  companyOf: (companyId: CompanyId) => Promise<Company>;
  /** An agent as kept at this moment, with one query for all who are asked for in a turn. Null: unknown. */
  agentNow: (asked: AgentKey) => Promise<Agent | null>;
  /** An agent's name and code for events and views; cached for at most 5 s. Throws for an unknown agent. */
  agentCard: (companyId: CompanyId, agentId: AgentId) => Promise<AgentCard>;
  /** The same for many agents, with one query for all that are not cached; unknown agents are left out. */
  agentCards: (companyId: CompanyId, agentIds: AgentId[]) => Promise<Map<AgentId, AgentCard>>;
  /**
   * Who is in any of these teams, in order of their ids, and the same list while it is kept; cached for at most 5 s.
   */
  ledAgents: (companyId: CompanyId, teamIds: readonly TeamId[]) => Promise<readonly AgentId[]>;
  /** Actions that this process retries until they succeed. */
  retries: RetryRegistry;
  /**
   * What happens to one thing happens one after the other in this process: changes of a contact, deal or task,
   * what a platform tells of a call.
   */
  turns: KeyedMutex;
  /** How many bulk pushes of each company are under way in this process. */
  bulkPushes: Map<CompanyId, number>;
  /** Companies whose file of numbers for the do-not-dial list is being read by this process. */
  listFiles: Set<CompanyId>;
};

/** Everything a use case may need from outside. Each names what it takes: `Pick<Services, …>`. */
export type Services = Stores &
  PresenceServices &
  BuiltInCrm &
  CrmServices &
  CtiServices &
  Access &
  Webhooks &
  Signals &
  OfThisProcess;

/** What it takes to change a call together with its agent, and to tell everybody of it. */
export type CallServices = Pick<
  Services,
  | 'agentCard'
  | 'calls'
  | 'clock'
  | 'dialsUnderWay'
  | 'idempotency'
  | 'newId'
  | 'observer'
  | 'presence'
  | 'retries'
  | 'companyOf'
  | 'softphones'
  | 'wakeDispatcher'
>;
