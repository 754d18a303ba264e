/** How gateways tell each other that deliveries wait. Notifications may be lost: dispatchers also poll. */
export interface DeliveryNotifier {
  /** Tells the other gateways, once the deliveries are committed. Never fails. */
  announce(): Promise<void>;
  /**
   * From now on `wake` is called when another gateway announces, and when announcements may have been missed.
   * Resolves once others are heard, or the first try to hear them has failed and others follow.
   */
  listen(wake: () => void): Promise<void>;
}
