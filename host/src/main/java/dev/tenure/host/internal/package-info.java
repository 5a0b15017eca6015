/// Pure arithmetic and small tools of the host; knows nothing of its API.
package dev.tenure.host.internal;
