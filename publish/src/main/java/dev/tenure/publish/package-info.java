/// The one call that gets stage, place, reference, enqueue, commit and settle in order.
package dev.tenure.publish;
