package dev.tenure.it.host;

import dev.tenure.host.DeploymentPolicy;

class PersistentPolicyTest extends PolicyContract {
    @Override
    DeploymentPolicy policy() {
        return DeploymentPolicy.PERSISTENT;
    }

    @Override
    int opens(int activities) {
        return 1;
    }
}
