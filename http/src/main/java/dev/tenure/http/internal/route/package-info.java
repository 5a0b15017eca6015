/// From a method and a path to a route. Knows nothing of servers.
package dev.tenure.http.internal.route;
